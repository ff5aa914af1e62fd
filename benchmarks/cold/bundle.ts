import { fileURLToPath } from 'node:url'
import { codecs } from '@signalbox/bundler'
import { build, type Metafile } from 'esbuild'

export interface Bundle {
  readonly code: Uint8Array
  /** The source files of the bundle, by path. */
  readonly inputs: Metafile['inputs']
  /** The number of bytes of each package in the bundle, by its name or its folder in this repository. */
  readonly parts: Readonly<Record<string, number>>
  /** The number of bytes of each file in the bundle, by its path. */
  readonly files: Readonly<Record<string, number>>
}

/**
 * Bundles a handler of this folder as the READMEs recommend: minified, and with `module` before `main`, which
 * excludes the CommonJS form of io-ts and fp-ts.
 * @param compiled whether the plugin of Signalbox compiles the codecs, for production only
 * @param conditions import conditions, such as the project's own, which selects the sources of packages
 */
export async function bundle(
  file: string,
  compiled = false,
  conditions: readonly string[] = [],
): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    entryPoints: [fileURLToPath(new URL(`${file}.ts`, import.meta.url))],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    mainFields: ['module', 'main'],
    conditions: [...conditions],
    plugins: compiled ? [codecs.esbuild({ production: true })] : [],
    // These are optional packages of other libraries, and they are not installed here.
    external: ['@aws-sdk/*', 'aws-sdk', 'postal-mime'],
    write: false,
    metafile: true,
    logLevel: 'silent',
  })
  const { contents, text } = outputFiles[0]!
  const [output] = Object.values(metafile.outputs)
  const { inputs } = output!
  return {
    code: text.includes('Dynamic require of') ? Buffer.from(`${requireOf}${text}`) : contents,
    inputs: metafile.inputs,
    parts: partsOf(inputs),
    files: Object.fromEntries(
      Object.entries(inputs).map(([path, { bytesInOutput }]) => [path, bytesInOutput]),
    ),
  }
}

/** What a bundle with CommonJS packages needs, as the guides of Powertools say. */
const requireOf = "import{createRequire}from'node:module';const require=createRequire(import.meta.url);"

function partsOf(inputs: Metafile['outputs'][string]['inputs']): Readonly<Record<string, number>> {
  const parts: Record<string, number> = {}
  for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
    const [, installed] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? []
    const name = installed ?? /packages\/([^/]+)/.exec(path)?.[1] ?? 'handler'
    parts[name] = (parts[name] ?? 0) + bytesInOutput
  }
  return parts
}
