import { Router } from '@aws-lambda-powertools/event-handler/http'

const app = new Router()
app.get('/orders/:id', ({ params }) => ({ id: params.id }))

export const handler = async (event: never, context: never) => app.resolve(event, context)
