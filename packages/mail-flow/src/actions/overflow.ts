/** What happens at the eleventh unique action: the call throws, or the recipients get the fallback action. */
export type Overflow = 'refuse' | 'fallback'
