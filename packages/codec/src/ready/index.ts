export { isObject } from '../json/is-object.ts'
export { type ReadyGuard, readyCodec } from './ready-codec.ts'
export { refusalsOfReady } from './refusals-of-ready.ts'
