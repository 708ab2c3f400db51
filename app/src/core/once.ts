// What is made when it is first wanted, and then kept.

/** @returns a function that makes the value on its first call and answers with it on all others */
export function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
