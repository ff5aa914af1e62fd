import { sep } from 'node:path'

/** The major and minor version of the oldest Node that runs TypeScript without a flag. */
export const oldestNode = [22, 18] as const

/**
 * Returns whether a project needs its own Node. It does if the running Node cannot run TypeScript. It also does if the
 * running Node comes from the package `node`, because then the machine has no Node or an old one.
 */
export function needsNode({ version, execPath }: Pick<NodeJS.Process, 'version' | 'execPath'>): boolean {
  const [major = 0, minor = 0] = version.replace('v', '').split('.').map(Number)
  const runsTypeScript = major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])
  return !runsTypeScript || execPath.split(sep).includes('node_modules')
}
