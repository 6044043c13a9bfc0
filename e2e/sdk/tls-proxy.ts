import { once } from 'node:events';
import { request } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { testingCertificate } from '#server/testing/http/certificate.ts';

/** Terminates TLS for HTTP and WebSockets, like a reverse proxy. */
export const startTlsProxy = async (target: string) => {
  const { hostname, port } = new URL(target);
  const proxy = createServer(testingCertificate, (incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const forwarded = request({ hostname, port, method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  proxy.on('upgrade', ({ url, rawHeaders }, client, head) => {
    const upstream = connect(Number(port), hostname, () => {
      const lines = [`GET ${url} HTTP/1.1`];
      for (let at = 0; at < rawHeaders.length; at += 2) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
      upstream.write(`${lines.join('\r\n')}\r\n\r\n`);
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on('error', () => client.destroy());
    client.on('error', () => upstream.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    host: `127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    close: async () => {
      proxy.close();
      proxy.closeAllConnections();
    },
  };
};
