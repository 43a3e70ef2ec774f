// SPDX-License-Identifier: Apache-2.0
#include <iterator>
#include <string_view>

#include "bindings/python/core/buffer.hpp"
#include "bindings/python/core/module.hpp"
#include "bindings/python/core/python.hpp"

namespace tdz::python {
namespace {

struct PlanObject {
  PyObject_HEAD tdz_plan* plan;
};

const tdz_plan* held(PyObject* self) {
  return reinterpret_cast<PlanObject*>(self)->plan;
}

std::string_view json_of(PyObject* self) {
  std::size_t length = 0;
  const char* text = tdz_plan_json(held(self), &length);
  return {text, length};
}

PyObject* text_of(std::string_view text) {
  return PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), nullptr);
}

void dealloc(PyObject* self) {
  tdz_plan_free(reinterpret_cast<PlanObject*>(self)->plan);
  free_object(self);
}

PyObject* to_json(PyObject* self, PyObject*) {
  return text_of(json_of(self));
}

PyObject* from_json(PyObject* type, PyObject* text) {
  const State* state = static_cast<State*>(PyType_GetModuleState(reinterpret_cast<PyTypeObject*>(type)));
  Py_ssize_t length = 0;
  const char* json = PyUnicode_AsUTF8AndSize(text, &length);
  if (json == nullptr) return nullptr;
  tdz_plan* plan = nullptr;
  tdz_error error;
  const auto status = tdz_plan_from_json(json, static_cast<std::size_t>(length), &plan, &error);
  return status == TDZ_OK ? plan_object(*state, plan) : raise(*state, status, error);
}

PyObject* with_level(PyObject* self, PyObject* given) {
  const State* state = state_of_instance(self);
  int level = 0;
  if (!level_of(given, level)) return nullptr;
  tdz_plan* plan = nullptr;
  tdz_error error;
  const auto status = tdz_plan_with_level(held(self), level, &plan, &error);
  return status == TDZ_OK ? plan_object(*state, plan) : raise(*state, status, error);
}

PyObject* to_bytes(PyObject* self, PyObject*) {
  std::size_t length = 0;
  const void* const bytes = tdz_plan_bytes(held(self), &length);
  return PyBytes_FromStringAndSize(static_cast<const char*>(bytes), static_cast<Py_ssize_t>(length));
}

/// Pickled as its JSON.
PyObject* reduce(PyObject* self, PyObject*) {
  const Ref make(PyObject_GetAttrString(reinterpret_cast<PyObject*>(Py_TYPE(self)), "from_json"));
  const Ref json(make ? to_json(self, nullptr) : nullptr);
  return json ? Py_BuildValue("O(O)", make.get(), json.get()) : nullptr;
}

PyObject* repr(PyObject* self) {
  const Ref json(to_json(self, nullptr));
  return json ? PyUnicode_FromFormat("tdz.Plan.from_json(%R)", json.get()) : nullptr;
}

Py_hash_t hash(PyObject* self) {
  const Ref json(to_json(self, nullptr));
  return json ? PyObject_Hash(json.get()) : -1;
}

PyObject* compare(PyObject* self, PyObject* other, int how) {
  if (Py_TYPE(self) != Py_TYPE(other) || (how != Py_EQ && how != Py_NE)) {
    Py_INCREF(Py_NotImplemented);
    return Py_NotImplemented;
  }
  return PyBool_FromLong((json_of(self) == json_of(other)) == (how == Py_EQ));
}

PyObject* level(PyObject* self, void*) {
  const int given = tdz_plan_level(held(self));
  return PyLong_FromLong(given != 0 ? given : 3);
}

PyObject* words(PyObject* self, void*) {
  std::size_t length = 0;
  const char* text = tdz_plan_words(held(self), &length);
  return text_of({text, length});
}

PyObject* record_bytes(PyObject* self, void*) {
  return PyLong_FromSize_t(tdz_plan_record_bytes(held(self)));
}

// ---- The cache

struct CacheObject {
  PyObject_HEAD tdz_plan_cache* cache;
};

tdz_plan_cache* held_cache(PyObject* self) {
  return reinterpret_cast<CacheObject*>(self)->cache;
}

PyObject* new_cache(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {nullptr};
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, ":PlanCache", const_cast<char**>(names))) return nullptr;
  Ref object(allocate(type));
  if (!object) return nullptr;
  tdz_plan_cache* const cache = tdz_plan_cache_new();
  reinterpret_cast<CacheObject*>(object.get())->cache = cache;
  return cache != nullptr ? object.give() : PyErr_NoMemory();
}

void free_cache(PyObject* self) {
  tdz_plan_cache_free(held_cache(self));
  free_object(self);
}

PyObject* taken(PyObject* self, void*) {
  return PyLong_FromUnsignedLongLong(tdz_plan_cache_taken(held_cache(self)));
}

PyGetSetDef kCacheProperties[] = {
    {"taken", taken, nullptr, "How many inputs took a plan from here; all others were searched.", nullptr},
    {}};

constexpr const char* kCacheText =
    "PlanCache()\n--\n\n"
    "The plans that compress() found, for its next inputs.\n\n"
    "A search takes as long for a short input as packing some megabytes. Of many inputs of one kind the "
    "first\n"
    "is searched; the others take its plan where it saves what it promised. What a call writes then depends\n"
    "on the calls before it. Threads may share it, but then the order of calls is theirs.";

PyType_Slot kCacheSlots[] = {{Py_tp_doc, const_cast<char*>(kCacheText)},
                             {Py_tp_new, reinterpret_cast<void*>(new_cache)},
                             {Py_tp_dealloc, reinterpret_cast<void*>(free_cache)},
                             {Py_tp_getset, kCacheProperties},
                             {0, nullptr}};

// ---- The plan as a type

PyMethodDef kMethods[] = {
    {"to_json", to_json, METH_NOARGS,
     "to_json($self, /)\n--\n\nThe plan as JSON in one line; docs/json.md lists its members."},
    {"from_json", from_json, METH_O | METH_CLASS,
     "from_json($type, text, /)\n--\n\nThe plan that to_json() wrote. ValueError says what is wrong with a "
     "text."},
    {"to_bytes", to_bytes, METH_NOARGS,
     "to_bytes($self, /)\n--\n\nThe plan as a chunk's record has it, without level and frame lengths."},
    {"with_level", with_level, METH_O,
     "with_level($self, level, /)\n--\n\nThe same plan with another level of zstd, 1 to 22."},
    {"__reduce__", reduce, METH_NOARGS, nullptr},
    {}};

PyGetSetDef kProperties[] = {{"level", level, nullptr, "zstd's level, 1 to 22.", nullptr},
                             {"words", words, nullptr,
                              "What it does, for people: a line for each column. Another version may word it "
                              "otherwise.",
                              nullptr},
                             {"record_bytes", record_bytes, nullptr,
                              "The bytes of a row. Data is best cut into chunks at its multiples.", nullptr},
                             {}};

constexpr const char* kText =
    "Which columns of numbers the bytes are, and how each column is coded.\n\n"
    "Made by tdz.plan(), tdz.plan_for() and Plan.from_json(). A plan never changes, and threads may share "
    "it.";

PyType_Slot kSlots[] = {{Py_tp_doc, const_cast<char*>(kText)},
                        {Py_tp_dealloc, reinterpret_cast<void*>(dealloc)},
                        {Py_tp_repr, reinterpret_cast<void*>(repr)},
                        {Py_tp_hash, reinterpret_cast<void*>(hash)},
                        {Py_tp_richcompare, reinterpret_cast<void*>(compare)},
                        {Py_tp_methods, kMethods},
                        {Py_tp_getset, kProperties},
                        {0, nullptr}};

}  // namespace

bool add_plan(PyObject* module, State& state) {
  return add_type(module, "tdz.Plan", sizeof(PlanObject), kSlots, state.plan);
}

bool add_plan_cache(PyObject* module, State& state) {
  return add_type(module, "tdz.PlanCache", sizeof(CacheObject), kCacheSlots, state.plan_cache);
}

tdz_plan_cache* plan_cache_in(const State& state, PyObject* object) {
  if (Py_TYPE(object) == state.plan_cache) return held_cache(object);
  PyErr_Format(PyExc_TypeError, "`plans` must be a tdz.PlanCache, not %R",
               reinterpret_cast<PyObject*>(Py_TYPE(object)));
  return nullptr;
}

PyObject* plan_object(const State& state, tdz_plan* plan) {
  PyObject* object = allocate(state.plan);
  if (object == nullptr) {
    tdz_plan_free(plan);
    return nullptr;
  }
  reinterpret_cast<PlanObject*>(object)->plan = plan;
  return object;
}

const tdz_plan* plan_in(const State& state, PyObject* object) {
  if (Py_TYPE(object) == state.plan) return held(object);
  PyErr_Format(PyExc_TypeError, "`plan` must be a tdz.Plan, not %R",
               reinterpret_cast<PyObject*>(Py_TYPE(object)));
  return nullptr;
}

PyObject* plan_for(PyObject* module, PyObject* args, PyObject* kwargs) {
  const State* state = state_of(module);
  static const char* names[] = {"", "order", "level", nullptr};
  PyObject* given_type = nullptr;
  PyObject* given_level = nullptr;
  int order = 1, level = 0;
  const char* type = nullptr;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|i$O:plan_for", const_cast<char**>(names), &given_type,
                                   &order, &given_level) ||
      !level_of(given_level, level) || !type_of(given_type, type))
    return nullptr;
  if (order < 0 || type == nullptr) {
    PyErr_SetString(
        order < 0 ? PyExc_ValueError : PyExc_TypeError,
        order < 0 ? "the order must be 0 to 8" : "a text such as 'f32' or 'u64,f32x5' is missing");
    return nullptr;
  }
  tdz_plan* plan = nullptr;
  tdz_error error;
  const auto status = tdz_plan_for(type, static_cast<unsigned>(order), level, &plan, &error);
  return status == TDZ_OK ? plan_object(*state, plan) : raise(*state, status, error);
}

PyObject* search_plan(PyObject* module, PyObject* args, PyObject* kwargs) {
  const State* state = state_of(module);
  static const char* names[] = {"", "type", "level", "effort", "gpu", nullptr};
  PyObject *sample = nullptr, *given_type = nullptr, *given_level = nullptr;
  const char* effort = "normal";
  tdz_search_options options{};
  options.size = sizeof options;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|$OOsp:plan", const_cast<char**>(names), &sample,
                                   &given_type, &given_level, &effort, &options.gpu) ||
      !type_of(given_type, options.type) || !level_of(given_level, options.level) ||
      !effort_of(effort, options.effort))
    return nullptr;
  Buffer numbers;
  if (!numbers.open(sample)) return nullptr;
  const NumberTypes found =
      options.type == nullptr ? types_of(numbers.format(), numbers.item_bytes()) : NumberTypes();
  if (!found.types.empty()) options.type = found.types.c_str();
  options.big_endian = found.big_endian ? 1 : 0;
  tdz_plan* plan = nullptr;
  tdz_error error;
  const tdz_status status =
      without_gil([&] { return tdz_plan_search(numbers.data(), numbers.size(), &options, &plan, &error); });
  return status == TDZ_OK ? plan_object(*state, plan) : raise(*state, status, error);
}

}  // namespace tdz::python
