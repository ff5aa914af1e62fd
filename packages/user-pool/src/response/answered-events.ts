/**
 * The events for which `claims()….for(event)` has made an answer. A route that does not return this answer has
 * forgotten it.
 */
export const answeredEvents = new WeakSet<object>()
