export { type OpenApiPageOptions, openapiPage } from './openapi-page.ts'
