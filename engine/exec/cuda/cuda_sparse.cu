// Products with sparse matrices by cuSPARSE, which is opened when they are wanted for the first time: a machine without it goes
// without, and says so.
#include <dlfcn.h>

#include <string>

#if __has_include(<cusparse.h>)
#include <cusparse.h>
#define MNS_CUDA_HAS_SPARSE
#endif

#include "engine/exec/device.h"

MNS_NS_BEGIN

#if defined(MNS_CUDA_HAS_SPARSE)

namespace {

#define MNS_TEXT_OF(x) #x
#define MNS_TEXT(x) MNS_TEXT_OF(x)
constexpr const char* kFile = "libcusparse.so." MNS_TEXT(CUSPARSE_VER_MAJOR);

// ALG2: the same bits in every run.
constexpr cusparseSpMVAlg_t kAlgorithm = CUSPARSE_SPMV_CSR_ALG2;
constexpr cusparseOperation_t kPlain = CUSPARSE_OPERATION_NON_TRANSPOSE;
constexpr float kOne = 1, kZero = 0;

// What of the library is used.
struct Library {
  std::string why;  // it is not there
  decltype(&cusparseCreate) create = nullptr;
  decltype(&cusparseDestroy) destroy = nullptr;
  decltype(&cusparseSetStream) setStream = nullptr;
  decltype(&cusparseGetErrorString) errorString = nullptr;
  decltype(&cusparseCreateCsr) createCsr = nullptr;
  decltype(&cusparseCsrSetPointers) setPointers = nullptr;
  decltype(&cusparseDestroySpMat) destroyMatrix = nullptr;
  decltype(&cusparseCreateDnVec) createVector = nullptr;
  decltype(&cusparseDnVecSetValues) setValues = nullptr;
  decltype(&cusparseDestroyDnVec) destroyVector = nullptr;
  decltype(&cusparseSpMV_bufferSize) bufferSize = nullptr;
  decltype(&cusparseSpMV_preprocess) preprocess = nullptr;
  decltype(&cusparseSpMV) multiply = nullptr;

  Library() {
    void* const file = dlopen(kFile, RTLD_NOW | RTLD_LOCAL);  // never closed: it has threads and exit handlers of its own
    if (!file) {
      const char* const text = dlerror();
      why = text ? text : std::string(kFile) + " cannot be opened";
      return;
    }
    find(file, create, "cusparseCreate");
    find(file, destroy, "cusparseDestroy");
    find(file, setStream, "cusparseSetStream");
    find(file, errorString, "cusparseGetErrorString");
    find(file, createCsr, "cusparseCreateCsr");
    find(file, setPointers, "cusparseCsrSetPointers");
    find(file, destroyMatrix, "cusparseDestroySpMat");
    find(file, createVector, "cusparseCreateDnVec");
    find(file, setValues, "cusparseDnVecSetValues");
    find(file, destroyVector, "cusparseDestroyDnVec");
    find(file, bufferSize, "cusparseSpMV_bufferSize");
    find(file, preprocess, "cusparseSpMV_preprocess");
    find(file, multiply, "cusparseSpMV");
  }
  template <class Function>
  void find(void* file, Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(file, name));
    if (!function && why.empty()) why = std::string(kFile) + " has no " + name;
  }
};

const Library& library() {
  static const Library found;
  return found;
}

void need(cusparseStatus_t status, const std::string& device, const char* name) {
  if (status == CUSPARSE_STATUS_SUCCESS) return;
  throw Error(ErrorKind::deviceNotAvailable, device + ": \"" + name + "\" by cuSPARSE: " + library().errorString(status));
}

}  // namespace

bool Device::openSparse() {
  if (sparseAsked_ || options_.ownProducts) return sparse_ != nullptr;
  sparseAsked_ = true;
  const Library& l = library();
  whyOwnProducts_ = l.why;
  if (!l.why.empty()) return false;
  cusparseHandle_t handle = nullptr;
  const cusparseStatus_t status = l.create(&handle);
  if (status != CUSPARSE_STATUS_SUCCESS) {
    whyOwnProducts_ = std::string(kFile) + ": " + l.errorString(status);
    return false;
  }
  sparse_ = handle;
  need(l.setStream(handle, stream_), description_, "stream");
  return true;
}

void Device::closeSparse() noexcept {
  if (sparse_) library().destroy(static_cast<cusparseHandle_t>(sparse_));
  sparse_ = nullptr;
}

void Device::dropDescriptors(Product& p) noexcept {
  if (p.A_) library().destroyMatrix(static_cast<cusparseSpMatDescr_t>(p.A_));
  for (void* vector : {p.in_, p.out_})
    if (vector) library().destroyVector(static_cast<cusparseDnVecDescr_t>(vector));
  p.A_ = p.in_ = p.out_ = nullptr;
}

void Device::prepare(const char* name, Product& p, const SparseRowsView& m, const float* x, float* y) {
  checkNotRecording(name);
  const bool sameSize = p.A_ && p.matrix_.rows == m.rows && p.matrix_.entries == m.entries;
  p.matrix_ = m;
  p.x_ = x;
  p.y_ = y;
  if (m.rows == 0 || !openSparse()) return;
  const Library& l = library();
  const auto check = [&](cusparseStatus_t status) { need(status, description_, name); };
  // the library writes to none of what is read only, but has one type for both
  const auto of = [](const void* memory) { return const_cast<void*>(memory); };
  if (sameSize) {
    check(l.setPointers(static_cast<cusparseSpMatDescr_t>(p.A_), of(m.begin), of(m.column), of(m.value)));
    check(l.setValues(static_cast<cusparseDnVecDescr_t>(p.in_), of(x)));
    check(l.setValues(static_cast<cusparseDnVecDescr_t>(p.out_), y));
  } else {
    dropDescriptors(p);
    cusparseSpMatDescr_t A = nullptr;
    check(l.createCsr(&A, m.rows, m.rows, m.entries, of(m.begin), of(m.column), of(m.value), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                      CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
    p.A_ = A;
    cusparseDnVecDescr_t vector = nullptr;
    check(l.createVector(&vector, m.rows, of(x), CUDA_R_32F));
    p.in_ = vector;
    check(l.createVector(&vector, m.rows, y, CUDA_R_32F));
    p.out_ = vector;
  }
  const auto handle = static_cast<cusparseHandle_t>(sparse_);
  const auto A = static_cast<cusparseSpMatDescr_t>(p.A_);
  const auto in = static_cast<cusparseDnVecDescr_t>(p.in_), out = static_cast<cusparseDnVecDescr_t>(p.out_);
  std::size_t bytes = 0;
  check(l.bufferSize(handle, kPlain, &kOne, A, in, &kZero, out, CUDA_R_32F, kAlgorithm, &bytes));
  if (bytes > p.roomBytes_) {
    release(p.room_);
    p.room_ = nullptr;
    p.roomBytes_ = 0;
    p.room_ = allocate(roomFor(bytes), name);
    p.roomBytes_ = roomFor(bytes);
  }
  // the pattern is another one in every sub-step
  check(l.preprocess(handle, kPlain, &kOne, A, in, &kZero, out, CUDA_R_32F, kAlgorithm, p.room_));
  ++counters_.launches;
}

void Device::multiply(const char* name, const Product& p) {
  if (p.matrix_.rows == 0) return;
  if (!p.A_) return launchRows(*this, name, p.matrix_.rows, SparseProduct{p.matrix_, p.x_, p.y_});
  need(library().multiply(static_cast<cusparseHandle_t>(sparse_), kPlain, &kOne, static_cast<cusparseSpMatDescr_t>(p.A_),
                          static_cast<cusparseDnVecDescr_t>(p.in_), &kZero, static_cast<cusparseDnVecDescr_t>(p.out_), CUDA_R_32F,
                          kAlgorithm, p.room_),
       description_, name);
  recording_ ? ++recordedNow_ : ++counters_.launches;
}

#else

bool Device::openSparse() {
  whyOwnProducts_ = "the CUDA plug-in was built where cuSPARSE's headers were missing";
  return false;
}
void Device::closeSparse() noexcept {}
void Device::dropDescriptors(Product&) noexcept {}
void Device::prepare(const char* name, Product& p, const SparseRowsView& m, const float* x, float* y) {
  checkNotRecording(name);
  p.matrix_ = m;
  p.x_ = x;
  p.y_ = y;
}
void Device::multiply(const char* name, const Product& p) {
  launchRows(*this, name, p.matrix_.rows, SparseProduct{p.matrix_, p.x_, p.y_});
}

#endif

Device::Product::~Product() {
  device_.dropDescriptors(*this);
  device_.release(room_);
}

std::string Device::whyOwnProducts() {
  openSparse();
  return whyOwnProducts_;
}

MNS_NS_END
