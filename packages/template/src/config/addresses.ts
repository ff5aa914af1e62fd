import { isObject } from '@signalbox/codec'
import { wrongAt } from '../document/template-error.ts'
import type { Part } from './config.ts'

/** The ports of listeners whose addresses functions get, unless the configuration beside a template has others. */
const defaultPorts = { queueListener: 9324, userPoolListener: 9331, invoke: 9332 }

type Listener = keyof typeof defaultPorts

/** A listener whose address functions get. */
export interface Address {
  readonly port: number
  readonly url: string
}

/**
 * Returns the addresses of listeners. They have to be known before the platform starts.
 * @param beside the configuration beside the template
 * @throws TemplateError for a listener on any free port
 */
export function addressesIn(beside: Part): { readonly [L in Listener]: Address } {
  const addressOf = (name: Listener): Address => {
    const listener = isObject(beside[name]) ? (beside[name] as Part) : {}
    if (listener.port === 0)
      throw wrongAt(
        [name, 'port'],
        'a port that is known before the platform starts, because functions get its address',
        'any free port',
      )
    const port = typeof listener.port === 'number' ? listener.port : defaultPorts[name]
    if (listener.tls === undefined) return { port, url: `http://127.0.0.1:${port}` }
    // A certificate is for a name.
    const [host = '127.0.0.1'] = Array.isArray(listener.names) ? listener.names.map(String) : []
    return { port, url: `https://${host}:${port}` }
  }
  return {
    queueListener: addressOf('queueListener'),
    userPoolListener: addressOf('userPoolListener'),
    invoke: addressOf('invoke'),
  }
}
