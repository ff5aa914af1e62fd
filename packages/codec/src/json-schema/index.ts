export { type JsonSchema, jsonSchema } from './json-schema.ts'
