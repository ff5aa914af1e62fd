import { InvalidOptionError } from '@signalbox/core/base'

/** Where spans go, and what they say of the process. */
export interface OtlpSettings {
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  /** Milliseconds for one request. */
  readonly timeout: number
  /** The attributes of the process. */
  readonly resource: { readonly [name: string]: string }
}

interface Environment {
  readonly [name: string]: string | undefined
}

/**
 * Reads the standard variables of OpenTelemetry. Returns undefined when `OTEL_SDK_DISABLED` is `true`.
 * @param reader what reads the variables, for errors
 * @param serviceName the name of the service, unless a variable has another one. Default: the name of the function
 * @throws InvalidOptionError for an address that is none
 */
export function otlpSettings(
  environment: Environment,
  reader = 'telemetry()',
  serviceName?: string,
): OtlpSettings | undefined {
  const read = (name: string) => environment[name]?.trim() || undefined
  if (read('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return undefined
  const ofTraces = read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT')
  const ofAll = read('OTEL_EXPORTER_OTLP_ENDPOINT') ?? 'http://localhost:4318'
  const url = ofTraces ?? `${ofAll.replace(/\/+$/, '')}/v1/traces`
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new InvalidOptionError(
      `${reader}: ${ofTraces === undefined ? 'OTEL_EXPORTER_OTLP_ENDPOINT' : 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'} is not the address of an HTTP server, such as http://127.0.0.1:4318`,
    )
  const { username, password } = new URL(url)
  if (username !== '' || password !== '')
    throw new InvalidOptionError(
      `${reader}: the address of the receiver has a user or a password. Put them into OTEL_EXPORTER_OTLP_HEADERS instead`,
    )
  const timeout = Math.ceil(
    Number(read('OTEL_EXPORTER_OTLP_TRACES_TIMEOUT') ?? read('OTEL_EXPORTER_OTLP_TIMEOUT')),
  )
  const name = serviceName === undefined ? read('AWS_LAMBDA_FUNCTION_NAME') : undefined
  return {
    url,
    headers: pairs(read('OTEL_EXPORTER_OTLP_TRACES_HEADERS') ?? read('OTEL_EXPORTER_OTLP_HEADERS')),
    timeout: timeout > 0 ? Math.min(timeout, 2 ** 31 - 1) : 10_000,
    resource: {
      'service.name': serviceName ?? name ?? 'unknown_service:node',
      'telemetry.sdk.language': 'nodejs',
      'telemetry.sdk.name': 'signalbox',
      ...(name !== undefined && { 'faas.name': name }),
      ...pairs(read('OTEL_RESOURCE_ATTRIBUTES')),
      ...(read('OTEL_SERVICE_NAME') !== undefined && { 'service.name': read('OTEL_SERVICE_NAME')! }),
    },
  }
}

/** Reads `name=value,name=value`, in which values are percent-encoded. */
function pairs(text = ''): { readonly [name: string]: string } {
  const found: [string, string][] = []
  for (const pair of text.split(',')) {
    const at = pair.indexOf('=')
    if (at > 0) found.push([pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())])
  }
  return Object.fromEntries(found)
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
