export { type Codecs, type CodecsOptions, codecs } from './codecs.ts'
