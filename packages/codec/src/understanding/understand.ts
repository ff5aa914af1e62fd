// Only this module imports the code that understands io-ts, which analyzes codecs, generates guards and walks through
// values. The bundler plugin replaces it with `without-io-ts` when no codec needs it.
export { withIoTs as understanding } from './with-io-ts.ts'
