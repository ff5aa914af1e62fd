import type { AccessKey } from '@signalbox/platform-runtime/signature'
import { signatureHeaders } from '@signalbox/platform-runtime/signature'

/** The key of an identity with all rights. */
export const rootKey: AccessKey = {
  accessKeyId: 'ROOTROOTROOTROOT',
  secretAccessKey: 'root-secret-0123456789',
}

const services = {
  userPools: { name: 'cognito-idp', target: 'AWSCognitoIdentityProviderService', version: '1.1' },
  queues: { name: 'sqs', target: 'AmazonSQS', version: '1.0' },
} as const

/** The answer to a call. */
export interface CallAnswer {
  readonly status: number
  readonly body: { readonly [field: string]: unknown }
}

/** Calls an operation, signed with a key, or without a signature. */
export async function signedCall(
  url: string,
  service: keyof typeof services,
  operation: string,
  input: object,
  key?: AccessKey,
): Promise<CallAnswer> {
  const { name, target, version } = services[service]
  const body = JSON.stringify(input)
  const headers = {
    host: new URL(url).host,
    'content-type': `application/x-amz-json-${version}`,
    'x-amz-target': `${target}.${operation}`,
  }
  const signature =
    key &&
    signatureHeaders(
      { method: 'POST', target: '/', headers: Object.entries(headers).flat(), body: Buffer.from(body) },
      key,
      { region: 'local', service: name, now: Date.now() },
    )
  const response = await fetch(url, { method: 'POST', headers: { ...headers, ...signature }, body })
  const text = await response.text()
  return { status: response.status, body: text === '' ? {} : JSON.parse(text) }
}
