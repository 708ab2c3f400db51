// Lazy initialisation.

/** @returns a function that creates the value on its first call and returns the same value afterwards */
export function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
