export type { OpenApiDocument, OpenApiOptions, Operation } from './document.ts'
export { openapi } from './openapi.ts'
export type { JsonSchema } from './schema-writer.ts'
