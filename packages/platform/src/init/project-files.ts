/** Where a new project gets its packages from. */
export interface PackageSource {
  /** What its package.json says for a package. */
  readonly versionOf: (packageName: string) => string
  /** Packages that have to be named too, because no registry would find them. */
  readonly beside: readonly string[]
}

/** The files of a new project: a configuration, a function, and a test that drives it over a real connection. */
export function projectFiles(
  name: string,
  { versionOf, beside }: PackageSource,
): { readonly [path: string]: string } {
  const dependencies = new Set([
    '@signalbox/core',
    '@signalbox/load-balancer',
    '@signalbox/platform',
    ...beside,
  ])
  return {
    'package.json': `${JSON.stringify(
      {
        name,
        version: '0.0.0',
        private: true,
        type: 'module',
        engines: { node: '>=22.18' },
        scripts: { dev: 'signalbox dev', start: 'signalbox start', test: 'node --test' },
        dependencies: Object.fromEntries([...dependencies].sort().map(each => [each, versionOf(each)])),
        devDependencies: { node: '^24.0.0' },
        // npm asks before it runs a package's install script; that of node fetches the program.
        allowScripts: { node: true },
      },
      null,
      2,
    )}\n`,
    // Packages of a folder are copied as if they came from the registry.
    ...(beside.length > 0 ? { '.npmrc': 'install-links=true\n' } : {}),
    '.gitignore': 'node_modules/\n.signalbox/\n',
    'signalbox.config.ts': config,
    'functions/shop.ts': shop,
    'functions/shop.test.ts': test,
  }
}

const config = `import { defineConfig } from '@signalbox/platform'

export default defineConfig({
  functions: {
    shop: { module: './functions/shop.ts', timeout: 5 },
  },
  loadBalancers: {
    web: { port: 3000, function: 'shop' },
  },
})
`

const shop = `import { signalbox } from '@signalbox/core'
import { get, json, loadBalancer } from '@signalbox/load-balancer'

export const handler = signalbox(
  loadBalancer([get('/hello/{name}', ({ params }) => json({ hello: params.name }))]),
)
`

const test = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPlatform } from '@signalbox/platform'
import { handler } from './shop.ts'

test('says hello', async () => {
  const platform = createPlatform({
    functions: { shop: { handler } },
    loadBalancers: { web: { port: 0, function: 'shop' } },
    dataDir: ':memory:',
  })
  try {
    const [web] = await platform.start()
    const response = await fetch(\`\${web?.url}/hello/Ada\`)
    assert.deepEqual(await response.json(), { hello: 'Ada' })
  } finally {
    await platform.stop()
  }
})
`
