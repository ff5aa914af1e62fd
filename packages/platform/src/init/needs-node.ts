import { sep } from 'node:path'

/** The major and minor version of the oldest Node that runs TypeScript without a flag. */
export const oldestNode = [22, 18] as const

/**
 * Returns why a project needs its own Node, or undefined if it does not. It does if the running Node cannot run TypeScript. It
 * also does if the running Node comes from the package `node`, because then the machine has no Node or an old one.
 */
export function reasonForNode({
  version,
  execPath,
}: Pick<NodeJS.Process, 'version' | 'execPath'>): string | undefined {
  const [major = 0, minor = 0] = version.replace('v', '').split('.').map(Number)
  const runsTypeScript = major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])
  if (!runsTypeScript) return `Node ${version} does not run TypeScript`
  return execPath.split(sep).includes('node_modules')
    ? `the Node that runs init belongs to a package (${execPath}), and the machine may have no other`
    : undefined
}
