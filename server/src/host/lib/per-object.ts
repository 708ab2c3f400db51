// What is made of an object once and kept as long as the object lives.

/** Calls `make` once for each key, and answers with the same value from then on. */
export function perObject<K extends object, T>(make: (key: K) => T): (key: K) => T {
  const made = new WeakMap<K, T>();
  return (key) => {
    let value = made.get(key);
    if (value === undefined) made.set(key, (value = make(key)));
    return value;
  };
}
