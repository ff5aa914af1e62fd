/**
 * The names of the pages that belong to no source, and of what the server has beside pages below `/console`. Pages of
 * sources have other names.
 */
export const ownNames = ['invocations', 'functions', 'access', 'platforms', 'try', 'api', 'assets'] as const

/** The name of a page that belongs to no source. */
export type OwnName = (typeof ownNames)[number]
