import type { JsonSchema, SchemaOption } from './schema-writer.ts'

/** Options of `openapi`. */
export interface OpenApiOptions {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly servers?: readonly { readonly url: string; readonly description?: string }[]
  /**
   * The security schemes, by guard name. By default, the scheme of `bearer` is an HTTP bearer token. Guards without a
   * scheme are omitted.
   */
  readonly security?: {
    readonly [guard: string]: { readonly type: string; readonly [field: string]: unknown }
  }
  /** Returns the JSON Schema for a schema whose library does not provide one, or undefined for the default. */
  readonly schema?: SchemaOption
}

/** An OpenAPI 3.1 document. See docs/decisions/http.md#what-routes-declare. */
export interface OpenApiDocument {
  readonly openapi: '3.1.1'
  readonly info: OpenApiOptions['info']
  readonly servers?: NonNullable<OpenApiOptions['servers']>
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } }
  readonly components?: {
    readonly schemas?: { readonly [name: string]: JsonSchema }
    readonly securitySchemes?: { readonly [name: string]: object }
  }
}

/** One route in an OpenAPI document. */
export interface Operation {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: {
    readonly [status: string]: { readonly description: string; readonly content?: Content }
  }
  readonly security?: readonly { readonly [scheme: string]: readonly string[] }[]
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly deprecated?: boolean
}

/** A named parameter in the path, the query, the headers or the cookies of a request. */
interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly required: boolean
  readonly schema: JsonSchema
}

/** The schemas of a body, by media type. */
export interface Content {
  readonly [type: string]: { readonly schema: JsonSchema }
}
