import { fileURLToPath } from 'node:url'
import { codecs } from '@signalbox/bundler'
import { build, type Metafile } from 'esbuild'

export interface Bundle {
  readonly code: Uint8Array
  /** Every file in it, by its path. */
  readonly inputs: Metafile['inputs']
  /** Bytes of each package in it, by the package's name, or its folder here. */
  readonly parts: Readonly<Record<string, number>>
  /** The bytes of each file in the bundle, by its path. */
  readonly files: Readonly<Record<string, number>>
}

/**
 * Bundles a handler of this folder as users are told to: minified, and `module` before `main`, which keeps the
 * CommonJS form of io-ts and fp-ts out.
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
    // Packages that peers load only on request, and that are not installed here.
    external: ['@aws-sdk/*', 'aws-sdk', 'postal-mime'],
    write: false,
    metafile: true,
    logLevel: 'silent',
  })
  const [output] = Object.values(metafile.outputs)
  const { inputs } = output!
  return {
    code: outputFiles[0]!.contents,
    inputs: metafile.inputs,
    parts: partsOf(inputs),
    files: Object.fromEntries(
      Object.entries(inputs).map(([path, { bytesInOutput }]) => [path, bytesInOutput]),
    ),
  }
}

function partsOf(inputs: Metafile['outputs'][string]['inputs']): Readonly<Record<string, number>> {
  const parts: Record<string, number> = {}
  for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
    const [, installed] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? []
    const name = installed ?? /packages\/([^/]+)/.exec(path)?.[1] ?? 'handler'
    parts[name] = (parts[name] ?? 0) + bytesInOutput
  }
  return parts
}
