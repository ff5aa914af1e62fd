import { execFile, spawnSync } from 'node:child_process'

/** The output of a program, and its exit code. */
export interface Run {
  readonly exitCode: number
  readonly output: string
}

/** Runs a program, and returns everything that it printed. */
export function runProgram(
  program: string,
  args: readonly string[],
  {
    env = {},
    input = '',
    uid,
  }: {
    readonly env?: Readonly<Record<string, string>>
    readonly input?: string
    readonly uid?: number | undefined
  } = {},
): Promise<Run> {
  const { PATH = '', HOME = '', PYENV_ROOT = '' } = process.env
  const ownEnv = { PATH: `${PATH}:/usr/sbin`, HOME, PYENV_ROOT, LC_ALL: 'C', ...env }
  const user = uid === undefined ? {} : { uid, gid: uid }
  return new Promise(resolve => {
    const child = execFile(program, args, { env: ownEnv, ...user }, (error, stdout, stderr) =>
      resolve({ exitCode: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    )
    child.stdin!.end(input)
  })
}

/**
 * Returns whether this machine has a program.
 * @param args arguments that make the program exit with code 0 at once
 */
export function hasProgram(program: string, args: readonly string[]): boolean {
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` }
  return spawnSync(program, args, { env, stdio: 'ignore' }).status === 0
}
