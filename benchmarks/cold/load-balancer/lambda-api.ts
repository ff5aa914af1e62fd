import { lambdaApi } from '../../contenders/lambda-api.ts'

const api = lambdaApi()
api.METHOD('GET', '/orders/:id', ({ params }) => ({ id: params.id }))
api.METHOD('POST', '/orders', ({ body }, response) => {
  const { id } = body as { readonly id: string }
  return response.status(201).header('location', `/orders/${id}`).json({ id })
})

export const handler = (event: never, context: never) => api.run(event, context)
