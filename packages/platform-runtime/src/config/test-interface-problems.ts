import { existsSync } from 'node:fs'
import { isObject, type Problem } from '@signalbox/codec'
import type { UncheckedObject } from '../fields/field-problems.ts'
import { defaultHost } from '../listener/listener-addresses.ts'
import { isOwnAddress, isPublicHost } from '../listener/own-host.ts'

const because = 'since control.testing shows codes and deletes data'

/**
 * Returns the problems of a test interface that other machines might reach. A public host, name or origin is always one.
 * Any other host but this machine needs `access`, or is that of a container whose owner maps its ports and says `open:
 * true`. See docs/decisions/listeners-and-limits.md#the-test-interface.
 */
export function testInterfaceProblems({ control, access }: UncheckedObject): readonly Problem[] {
  if (!isObject(control) || control.testing !== true) return []
  const { host = defaultHost, names, origin, open } = control
  const bare = (name: unknown) =>
    String(name)
      .toLowerCase()
      .replace(/^\[(.*)\]$/, '$1')
  const isPublic = (name: unknown) => typeof name === 'string' && isPublicHost(bare(name))
  const publicAt = (key: string, value: unknown, expected: string) => ({
    pointer: `/control/${key}`,
    expected: `${expected}, ${because}`,
    actual: `${value}, which is public`,
  })
  const problems: Problem[] = []
  if (isPublic(host))
    problems.push(publicAt('host', host, `an address of this machine such as ${defaultHost}`))
  else if (typeof host === 'string' && !isOwnAddress(bare(host)) && access === undefined) {
    const isWildcard = ['0.0.0.0', '::'].includes(bare(host))
    if (!isWildcard || open !== true || !isInContainer())
      problems.push({
        pointer: '/control/host',
        expected: `an address of this machine such as ${defaultHost}; or identities in \`access\` with rights: { testing: { use: ['*'] } }; or 0.0.0.0 with open: true in a container, ${because}`,
        actual: `${host}, which other machines reach`,
      })
  }
  for (const [at, name] of (Array.isArray(names) ? names : []).entries())
    if (isPublic(name))
      problems.push(publicAt(`names/${at}`, name, 'a name of this machine such as localhost'))
  const hostname = URL.parse(String(origin))?.hostname
  if (isPublic(hostname)) problems.push(publicAt('origin', origin, 'an origin such as http://localhost:9330'))
  return problems
}

/**
 * Returns whether this process runs in a container. Docker and podman leave a file there. Others, and Containerfiles, set
 * the variable `container`, as systemd asks of them.
 */
function isInContainer(): boolean {
  const { container = '' } = process.env
  return container !== '' || existsSync('/.dockerenv') || existsSync('/run/.containerenv')
}
