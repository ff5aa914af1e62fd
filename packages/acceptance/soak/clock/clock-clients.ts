import { signatureHeaders } from '@signalbox/platform-runtime/signature'

export const poolId = 'eu-central-1_Staff01'
export const clientId = 'web'
export const key = { accessKeyId: 'clerk', secretAccessKey: 'a long secret of the clerk' }

/** The service's answer: the status, and the body. */
export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: each operation has another answer.
  readonly body: any
}

const services = {
  pools: { name: 'cognito-idp', target: 'AWSCognitoIdentityProviderService', type: '1.1' },
  queues: { name: 'sqs', target: 'AmazonSQS', type: '1.0' },
} as const

/** Clients of one platform whose own clock may differ from the time of the machine. */
export interface ClockClients {
  /** Calls an operation that needs no signature. */
  readonly pool: (operation: string, input: object) => Promise<Answer>
  /** Calls an operation with a signature of the time that the client's clock shows. */
  readonly signed: (service: keyof typeof services, operation: string, input: object) => Promise<Answer>
}

/** @param now returns the time of the clients' clock */
export function clockClients(urls: { pools: string; queues: string }, now: () => number): ClockClients {
  const call = async (
    service: keyof typeof services,
    operation: string,
    input: object,
    isSigned: boolean,
  ) => {
    const { name, target, type } = services[service]
    const body = Buffer.from(JSON.stringify(input))
    const headers = {
      host: new URL(urls[service]).host,
      'content-type': `application/x-amz-json-${type}`,
      'x-amz-target': `${target}.${operation}`,
    }
    const request = { method: 'POST', target: '/', headers: Object.entries(headers).flat(), body }
    const signature = isSigned
      ? signatureHeaders(request, key, { region: 'local', service: name, now: now() })
      : {}
    const response = await fetch(urls[service], {
      method: 'POST',
      headers: { ...headers, ...signature },
      body,
    })
    return { status: response.status, body: JSON.parse((await response.text()) || '{}') }
  }
  return {
    pool: (operation, input) => call('pools', operation, input, false),
    signed: (service, operation, input) => call(service, operation, input, true),
  }
}
