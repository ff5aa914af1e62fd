import createApi from 'lambda-api'

interface Api {
  get(path: string, handler: (request: { readonly params: { readonly id: string } }) => unknown): void
  run(event: never, context: never): Promise<unknown>
}

// Its own types describe its CommonJS form.
const api = (createApi as unknown as (options: object) => Api)({ logger: false })
api.get('/orders/:id', ({ params }) => ({ id: params.id }))

export const handler = (event: never, context: never) => api.run(event, context)
