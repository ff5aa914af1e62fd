import type { Config } from '../source-modules.ts'

/**
 * Declares the contents of a `signalbox.config.ts`. The compiler checks its types: a source that names a missing
 * function does not compile. All other checks run when a platform is made from it.
 *
 * @example
 * export const config = defineConfig({
 *   functions: { shop: { module: './shop.ts' } },
 *   loadBalancers: { web: { port: 8080, function: 'shop' } },
 * })
 */
export function defineConfig<const FunctionName extends string>(
  config: Config<FunctionName>,
): Config<FunctionName> & Required<Pick<Config<FunctionName>, 'functions'>> {
  return { ...config, functions: config.functions ?? ({} as NonNullable<typeof config.functions>) }
}
