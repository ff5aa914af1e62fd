export function isObject(u: unknown): u is Record<string, unknown> {
  return typeof u === 'object' && u !== null && !Array.isArray(u)
}

export function isTextMap(u: unknown): boolean {
  if (!isObject(u)) return false
  for (const key in u) if (typeof u[key] !== 'string') return false
  return true
}

export function isTextList(u: unknown): boolean {
  if (!Array.isArray(u)) return false
  for (let i = 0; i < u.length; i++) if (typeof u[i] !== 'string') return false
  return true
}
