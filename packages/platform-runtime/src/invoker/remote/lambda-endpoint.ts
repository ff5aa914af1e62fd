import type { InvokeCommandOutput, LambdaClient } from '@aws-sdk/client-lambda'
import { isLoopback } from '../../fields/is-loopback.ts'
import type { RemoteAnswer, RemoteEndpoint } from './remote-endpoint.ts'

type Sdk = typeof import('@aws-sdk/client-lambda')

/** Settings of a function that is called through the Invoke API of AWS Lambda. */
export interface LambdaSettings {
  readonly functionName: string
  readonly region: string
  readonly endpoint?: string
  readonly qualifier?: string
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string }
}

/**
 * Errors of the service that mean that the function has certainly not run, and that another attempt may soon succeed.
 */
const notYet =
  /^(?:TooManyRequestsException|Throttling|ThrottlingException|EC2ThrottledException|ENILimitReachedException|ResourceConflictException|ResourceNotReadyException)$/

/** The error codes of failed attempts to connect. */
const unconnected = /\b(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)\b/

/**
 * Returns the endpoint of a function that is called through the Invoke API of AWS Lambda. The AWS client is loaded for
 * the first call, and looks for credentials itself. A service on this machine gets placeholder credentials.
 * @param instances the maximum number of calls at the same time
 */
export function lambdaEndpoint(settings: LambdaSettings & { readonly instances: number }): RemoteEndpoint {
  const { functionName: FunctionName, qualifier: Qualifier } = settings
  let opened: Promise<{ readonly sdk: Sdk; readonly client: LambdaClient }> | undefined
  let client: LambdaClient | undefined

  return {
    async call({ event }, { signal }) {
      try {
        opened ??= open(settings)
        const { sdk, client: ready } = await opened
        client = ready
        const command = new sdk.InvokeCommand({
          FunctionName,
          ...(Qualifier !== undefined && { Qualifier }),
          LogType: 'Tail',
          Payload: Buffer.from(event),
        })
        return answerOf(await ready.send(command, { abortSignal: signal }))
      } catch (error) {
        return refusalOf(error as ServiceError)
      }
    },
    close: () => client?.destroy(),
  }
}

async function open({
  region,
  endpoint,
  credentials,
  instances,
}: LambdaSettings & { readonly instances: number }) {
  let sdk: Sdk
  try {
    sdk = await import('@aws-sdk/client-lambda')
  } catch {
    throw Object.assign(new Error(), { code: missingClient })
  }
  const isLocal = endpoint !== undefined && isLoopback(endpoint)
  const client = new sdk.LambdaClient({
    region,
    ...(endpoint !== undefined && { endpoint }),
    ...(credentials !== undefined
      ? { credentials }
      : isLocal && { credentials: { accessKeyId: 'signalbox', secretAccessKey: 'signalbox' } }),
    // The client would also repeat calls that may have reached the function, so it makes only one attempt.
    maxAttempts: 1,
    requestHandler: { httpAgent: { maxSockets: instances }, httpsAgent: { maxSockets: instances } },
  })
  return { sdk, client }
}

const missingClient = 'the package @aws-sdk/client-lambda is not installed'

function answerOf({ Payload, FunctionError, LogResult }: InvokeCommandOutput): RemoteAnswer {
  const payload = Payload === undefined ? '' : Buffer.from(Payload).toString()
  return { payload, isError: FunctionError !== undefined, log: LogResult }
}

interface ServiceError extends Error {
  readonly code?: string
  readonly $metadata?: { readonly httpStatusCode?: number }
}

/** Describes an error by its name alone, because a message may quote the request. */
function refusalOf(error: ServiceError): RemoteAnswer {
  const { name, code, message, $metadata: { httpStatusCode: status = 0 } = {} } = error
  if (code === missingClient) return { refused: missingClient, mayRetry: false }
  if (notYet.test(name)) return { refused: `Lambda: ${name}`, mayRetry: true }
  // When the client wraps an error that it does not know, only the message contains the error code.
  const broken = status === 0 ? unconnected.exec(`${code} ${message}`) : null
  if (broken !== null) return { refused: `Lambda: ${broken[0]}`, mayRetry: true }
  if (name === 'CredentialsProviderError')
    return { refused: 'the AWS client finds no credentials', mayRetry: false }
  if (status >= 400 && status < 500) return { refused: `Lambda: ${name}`, mayRetry: false }
  return { lost: `Lambda: ${code ?? name}` }
}
