import type { AnySourceModule } from '../source/source-module.ts'
import type { Command } from './command-context.ts'

/** Loads the commands of sources. */
export async function sourceCommands(modules: readonly AnySourceModule[]): Promise<readonly Command[]> {
  const commands = await Promise.all(modules.map(async module => (await module.commands?.()) ?? []))
  // Modules cannot name the context of their commands, because it contains the modules. It is that of defineCommand().
  return commands.flat() as readonly unknown[] as readonly Command[]
}
