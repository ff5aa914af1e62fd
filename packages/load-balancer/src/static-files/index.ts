export { type StaticFilesOptions, staticFiles } from './static-files.ts'
