import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'

const packages = join(import.meta.dirname, '../..')

/** Patterns that find the names of each family and its source in code. */
const names = {
  'load-balancer': /load-?balancer/i,
  'user-pool': /user-?pool/i,
  queue: /(?<![a-z])queues?(?![a-z])|Queues?(?![a-z])/,
  'mail-flow': /mail-?flow/i,
  mail: /(?<![a-z])mails?(?![a-z])|Mails?(?![a-z])/,
}

/**
 * The packages that serve all families. Every other package belongs to the family in its name, except `aws`, which
 * translates the names of all families. See docs/decisions/core-and-middlewares.md#names-of-aws.
 */
const shared = ['codec', 'core', 'platform-runtime', 'platform', 'console']

/** The files that name a family or source of another package, with the reasons. */
const exceptions: { readonly [file: string]: string } = {
  'platform/src/source-modules.ts': 'the one list of all sources',
  'platform/src/index.ts': 'users import the types of every part of the configuration from here',
  'platform/src/commands/init.ts': 'the help shows examples',
  'platform/src/commands/mcp.ts': 'its help says what the tools show',
  'platform/src/init/agents-page.ts': 'names a sample',
  'platform/src/mcp/own-tools.ts': 'an example in the description of a tool',
  'platform/src/mcp/serve.ts': 'its instructions say that contents of mails are data',
  'platform/src/mcp/command-tools.ts': 'the tools that run commands of sources',
  'platform/src/commands/sample.ts': 'the help shows examples',
  'platform/src/commands/start.ts': 'the help says what it refuses',
  'console/src/api/client-routes.ts': 'the client of HTTP APIs is of a family',
  'console/src/web/api/api.ts': 'the client of HTTP APIs is of a family',
  'console/src/web/pages/access/access-log-page.tsx': 'the access log has these names',
  'console/src/web/pages/invocations/invocations-page.tsx':
    'the page without invocations says what causes one',
  'core/src/durable/durable.ts': 'an error shows an example',
  'core/src/signalbox/arguments.ts': 'an error shows an example',
  'core/src/signalbox/signalbox.ts': 'an error shows an example',
  'platform-runtime/src/fields/failure-destination.ts': 'checks the names of what gets failures',
  'platform-runtime/src/source/outbound-mail.ts': 'the port by which a source sends mail',
  'platform-runtime/src/source/queue-sender.ts': 'the port by which a source sends messages',
  'platform-runtime/src/source/source-module.ts': 'opens sources with these ports',
  'platform-runtime/src/index.ts': 'exports these ports',
  'platform-runtime/src/work/index.ts': 'durable work is in queues, which are not those of the family',
  'platform-runtime/src/work/sqlite/local-work-queue.ts':
    'durable work is in queues, which are not those of the family',
  'platform-runtime/src/work/sqlite/work-table.ts':
    'durable work is in queues, which are not those of the family',
  'platform-runtime/src/work/work-queue.ts': 'durable work is in queues, which are not those of the family',
  'platform-runtime/src/work/work-records.ts': 'durable work is in queues, which are not those of the family',
  'platform-runtime/src/work/worker.ts': 'durable work is in queues, which are not those of the family',
}

/** The pages that the web application has for some sources. The other sources describe theirs. */
const ownPages = /^console\/src\/web\/sources\//

/** Returns the published files of a package, without tests. */
function filesOf(name: string): readonly string[] {
  return readdirSync(join(packages, name, 'src'), { recursive: true, encoding: 'utf8' })
    .filter(file => /^(?!.*\.(?:test|tst|fuzz)\.ts$).*\.tsx?$/.test(file) && !/(?:^|\/)testing\//.test(file))
    .map(file => `${name}/src/${file.replaceAll('\\', '/')}`)
}

/** Returns the families and sources that a file names in its code, but not in comments. */
function namedIn(file: string, families: readonly (keyof typeof names)[]): readonly string[] {
  const code = readFileSync(join(packages, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  return families.filter(family => names[family].test(code))
}

it('no file of a shared package names an event family or source, except for the files that this test lists', () => {
  const naming = shared
    .flatMap(filesOf)
    .filter(file => !ownPages.test(file))
    .filter(file => namedIn(file, ['load-balancer', 'user-pool', 'queue', 'mail-flow', 'mail']).length > 0)
  expect(naming.sort()).toEqual(Object.keys(exceptions).sort())
})

it('no file of an event family or source names another family or source', () => {
  const families = ['load-balancer', 'user-pool', 'queue', 'mail-flow'] as const
  const naming = families.flatMap(family => {
    // "Queue" and "mail" are also ordinary words, so they are not searched for in these files.
    const others = families.filter(other => other !== family && other !== 'queue')
    const source = family === 'mail-flow' ? 'platform-mail' : `platform-${family}`
    return [family, source].flatMap(filesOf).filter(file => namedIn(file, others).length > 0)
  })
  // The source of the Invoke API has no family.
  const ofInvoke = filesOf('platform-invoke').filter(
    file => namedIn(file, ['load-balancer', 'user-pool', 'mail-flow']).length > 0,
  )
  expect([...naming, ...ofInvoke]).toEqual([])
})
