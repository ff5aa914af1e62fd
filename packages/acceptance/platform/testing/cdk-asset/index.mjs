/** Sends the bodies of a batch on to the queue NEXT, by the API of SQS without a library. */
export const forward = async ({ Records }) => {
  for (const { body } of Records)
    await fetch(process.env.AWS_ENDPOINT_URL_SQS, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': 'AmazonSQS.SendMessage',
      },
      body: JSON.stringify({
        QueueUrl: process.env.NEXT,
        MessageBody: `done ${body}`,
        ...(process.env.GROUP && { MessageGroupId: process.env.GROUP }),
      }),
    })
  return { batchItemFailures: [] }
}

export const confirm = async event => ({
  ...event,
  response: { ...event.response, autoConfirmUser: true, autoVerifyEmail: true },
})

export const web = async ({ path, httpMethod }) => ({
  statusCode: 200,
  statusDescription: '200 OK',
  isBase64Encoded: false,
  headers: { 'content-type': 'text/plain' },
  body: `${httpMethod} ${path}`,
})
