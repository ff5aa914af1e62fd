// A runtime without a library, which does what those of the provider do with the trace header.
import { handler } from './traced-functions.ts'

const api = `http://${process.env.AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime/invocation`
for (;;) {
  const next = await fetch(`${api}/next`)
  const id = next.headers.get('lambda-runtime-aws-request-id')!
  process.env._X_AMZN_TRACE_ID = next.headers.get('lambda-runtime-trace-id')!
  const deadline = Number(next.headers.get('lambda-runtime-deadline-ms'))
  const context = { awsRequestId: id, getRemainingTimeInMillis: () => deadline - Date.now() }
  try {
    const result = await (handler as (event: unknown, context: object) => Promise<unknown>)(
      await next.json(),
      context,
    )
    await fetch(`${api}/${id}/response`, { method: 'POST', body: JSON.stringify(result ?? null) })
  } catch (error) {
    const { name, message } = error as Error
    await fetch(`${api}/${id}/error`, {
      method: 'POST',
      body: JSON.stringify({ errorType: name, errorMessage: message }),
    })
  }
}
