// Deeper than any event; also ends cycles.
const MAX_DEPTH = 64;

/** Whether a value survives a JSON round trip unchanged. */
export const isJsonData = (value: unknown, depth = 0): boolean => {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value);
    case 'object':
      if (value === null) return true;
      if (depth === MAX_DEPTH) return false;
      if (Array.isArray(value)) return value.every((item) => isJsonData(item, depth + 1));
      return (
        isPlainObject(value) && Object.values(value).every((item) => item === undefined || isJsonData(item, depth + 1))
      );
    default:
      return false;
  }
};

const isPlainObject = (value: object): boolean => {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};
