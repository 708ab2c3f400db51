// What an import of a compiled catalogue gives (vite/catalogues.ts).
declare module '*.json?catalogue' {
  const catalogue: Record<string, (values: Record<string, string | number>) => string>;
  export default catalogue;
}
declare module '*.json?later' {
  export { default } from '*.json?catalogue';
}
