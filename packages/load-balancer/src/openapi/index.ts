export { type OpenApiDocument, type OpenApiOptions, type Operation, openapi } from './openapi.ts'
export type { JsonSchema } from './schema-writer.ts'
