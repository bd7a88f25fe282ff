/**
 * Reads a mail server's address such as `smtps://user:password@host:465`; a scheme that ends in `s`
 * is secure.
 *
 * @param ports those of addresses that name none
 */
export function readServerAddress(
  address: string,
  ports: { readonly secure: number; readonly plain: number },
) {
  const { protocol, hostname, port, username, password, pathname } = new URL(address);
  const secure = protocol.endsWith("s:");
  return {
    host: hostname.replaceAll(/[[\]]/g, ""),
    port: port === "" ? ports[secure ? "secure" : "plain"] : Number(port),
    /** True if the connection begins with TLS. */
    secure,
    /** True for this machine, where TLS is not needed. Other servers need `secure` or STARTTLS. */
    isLocal: ["localhost", "127.0.0.1", "[::1]"].includes(hostname),
    account:
      username === ""
        ? null
        : { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    /** The path without its first slash. */
    path: decodeURIComponent(pathname.slice(1)),
  };
}
