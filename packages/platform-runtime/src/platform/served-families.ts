import type { AnySourceModule, OpenedSource } from '../source/source-module.ts'

/** Returns a function that returns the families whose events a function gets from these sources. */
export async function servedFamilies(
  modules: readonly AnySourceModule[],
  opened: readonly OpenedSource<object>[],
): Promise<(functionName: string) => readonly string[]> {
  const served = await Promise.all(
    opened.map(async ({ functions = [] }, index) => ({
      functions,
      family: functions.length === 0 ? undefined : (await modules[index]!.family?.())?.name,
    })),
  )
  return name =>
    served.flatMap(({ functions, family }) =>
      family !== undefined && functions.includes(name) ? [family] : [],
    )
}
