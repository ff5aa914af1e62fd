import { fileURLToPath } from 'node:url'
import { build, type Metafile } from 'esbuild'

export interface Bundle {
  readonly code: Uint8Array
  /** Every file in it, by its path. */
  readonly inputs: Metafile['inputs']
}

/**
 * Bundles a handler of this folder as users are told to: minified, and `module` before `main`, which keeps the
 * CommonJS form of io-ts and fp-ts out.
 * @param conditions such as the project's own, under which packages are taken from their sources
 */
export async function bundle(file: string, conditions: readonly string[] = []): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    entryPoints: [fileURLToPath(new URL(`${file}.ts`, import.meta.url))],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    mainFields: ['module', 'main'],
    conditions: [...conditions],
    // What peers load only when asked to, and this machine of course does not have.
    external: ['@aws-sdk/*', 'aws-sdk', 'postal-mime'],
    write: false,
    metafile: true,
    logLevel: 'silent',
  })
  return { code: outputFiles[0]!.contents, inputs: metafile.inputs }
}
