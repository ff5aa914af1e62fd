import { sep } from 'node:path'

/** The oldest Node that runs TypeScript without a flag: major and minor version. */
export const oldestNode = [22, 18] as const

/**
 * Returns whether a project needs its own Node: the running one does not run TypeScript, or comes from the package
 * `node`, which means that the machine has none or an old one.
 */
export function needsNode({ version, execPath }: Pick<NodeJS.Process, 'version' | 'execPath'>): boolean {
  const [major = 0, minor = 0] = version.replace('v', '').split('.').map(Number)
  const runsTypeScript = major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])
  return !runsTypeScript || execPath.split(sep).includes('node_modules')
}
