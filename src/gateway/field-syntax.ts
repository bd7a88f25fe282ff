/** A method or a field's name (RFC 9110 section 5.6.2). */
export const token: RegExp = /^[\w!#$%&'*+.^`|~-]+$/;

/** A field value or reason phrase, one char per byte (RFC 9110 section 5.5, RFC 9112 section 4). */
export const plainText: RegExp = /^[\t\x20-\x7e\x80-\xff]*$/;
