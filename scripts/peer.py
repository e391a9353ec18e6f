"""Runs the dam break of SPlisHSPlasH (its scene DamBreakModel: DFSPH, a cube of 1 m of water in a tank of 4 x 3 x 1.5 m) with n
particles along an edge of the cube, and adds what it took to a table that `meniscus bench peer --beside` reads.

    peer.py N SECONDS THREADS TABLE.csv       scripts/peer.sh calls it in an environment that has pysplishsplash

Time and steps are those that the program logs itself (SimStep, without set-up); memory is the most that the process had resident, less
what it had before the scene was loaded; the density error is the mean over particles and steps of what is above the rest density.
"""

import glob
import json
import os
import re
import resource
import sys
import tempfile
from importlib.metadata import version

import numpy
import pysplishsplash as sph

HEADER = "machine,threads,version,name,value,unit,state_hash"


def data_folder():
    """Scenes and models lie beside the interpreter of the environment, or where a wheel puts data files."""
    for base in (os.path.dirname(sys.executable), sys.prefix, os.path.dirname(sph.__file__)):
        if os.path.exists(os.path.join(base, "data/Scenes/DamBreakModel.json")):
            return os.path.join(base, "data")
    sys.exit("peer.py: DamBreakModel.json of the package is not found")


def scene(n):
    data = data_folder()
    with open(os.path.join(data, "Scenes/DamBreakModel.json")) as file:
        its = json.load(file)
    its["Configuration"]["particleRadius"] = 0.5 / n
    for body in its["RigidBodies"]:
        body["geometryFile"] = os.path.join(data, "models", os.path.basename(body["geometryFile"]))
    block = its["FluidBlocks"][0]
    # the program leaves a layer out: with one more there are n along an edge
    block["end"] = [x + 1.0 / n for x in block["end"]]
    return its


def resident():
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def mean_excess(fluid):
    density = numpy.array(fluid.getFieldBuffer("density"), copy=False)[: fluid.numActiveParticles()]
    return float(numpy.mean(numpy.maximum(density / fluid.getValueFloat(fluid.DENSITY0) - 1, 0)))


def logged(folder, what):
    with open(glob.glob(os.path.join(folder, "log", "*.txt"))[0]) as file:
        found = re.findall(re.escape(what) + r": ([0-9.eE+-]+)", file.read())
    return float(found[-1])


def main():
    n, seconds, threads, table = int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    errors, before = [], resident()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "scene.json")
        with open(path, "w") as file:
            json.dump(scene(n), file)
        base = sph.Exec.SimulatorBase()
        base.init(sceneFile=path, programName="peer", outputDir=folder, initialPause=False, useGui=False, stopAt=seconds)
        base.setTimeStepCB(lambda: errors.append(mean_excess(sph.Simulation.getCurrent().getFluidModel(0))))
        base.run()
        simulated, ms = logged(folder, "Total number: Time step size"), logged(folder, "Time sum: SimStep")
        step_ms = logged(folder, "Average time: SimStep")
    name = f"peer {n}: "
    figures = [("time", ms / 1e3 / simulated, "s a simulated second"), ("step", step_ms, "ms"),
               ("mean density error", float(numpy.mean(errors)), ""), ("memory", resident() - before, "bytes")]
    fresh = not os.path.exists(table)
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "unknown processor")
    count = len(os.sched_getaffinity(0))
    machine = f"{model}, {count} processor{'' if count == 1 else 's'}"
    with open(table, "a") as file:
        if fresh:
            file.write(HEADER + "\n")
        for what, value, unit in figures:
            file.write(f'"{machine}",{threads},SPlisHSPlasH {version("pysplishsplash")} (wheel),{name}{what},{value:.6g},{unit},\n')


if __name__ == "__main__":
    main()
