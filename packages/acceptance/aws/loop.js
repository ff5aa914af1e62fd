// A minimal runtime client, for machines on which the original AWS client cannot be built. It takes events from the
// Runtime API, calls the handler, and returns its results. It starts like the original client, with the same
// environment.
const { AWS_LAMBDA_RUNTIME_API, AWS_LAMBDA_FUNCTION_NAME, LAMBDA_TASK_ROOT, _HANDLER } = process.env
const api = `http://${AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime`
const post = (path, body) => fetch(`${api}/${path}`, { method: 'POST', body })
const describe = error =>
  JSON.stringify({ errorType: error?.name, errorMessage: error?.message ?? String(error) })

const [file, name] = (_HANDLER ?? '').split('.')
const { [name ?? '']: handler } = await import(`${LAMBDA_TASK_ROOT}/${file}.mjs`).catch(async error => {
  await post('init/error', describe(error))
  throw error
})

while (true) {
  const next = await fetch(`${api}/invocation/next`)
  const id = next.headers.get('lambda-runtime-aws-request-id')
  const deadline = Number(next.headers.get('lambda-runtime-deadline-ms'))
  const context = {
    callbackWaitsForEmptyEventLoop: true,
    functionName: AWS_LAMBDA_FUNCTION_NAME,
    awsRequestId: id,
    getRemainingTimeInMillis: () => deadline - Date.now(),
  }
  try {
    const answer = await handler(await next.json(), context)
    await post(`invocation/${id}/response`, JSON.stringify(answer) ?? 'null')
  } catch (error) {
    await post(`invocation/${id}/error`, describe(error))
  }
}
