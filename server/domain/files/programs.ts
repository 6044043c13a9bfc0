const words = (text: string): string[] => text.trim().split(/\s+/);

/** Extensions of files that a system runs when they are opened or served. */
const EXTENSIONS = new Set(
  words(`
    exe com scr pif cpl dll sys drv ocx msi msp mst msix msixbundle appx appxbundle appinstaller application gadget
    bat cmd ps1 psm1 psd1 ps1xml ps2 psc1 vb vbs vbe vbscript js jse mjs cjs ws wsf wsh wsc sct hta
    lnk url website scf reg inf msc chm hlp xll xbap settingcontent-ms library-ms search-ms jnlp
    app command tool terminal workflow action scpt scptd applescript dmg pkg mpkg
    sh bash zsh csh tcsh ksh fish run out elf so ko appimage desktop deb rpm flatpakref snap
    jar class war ear apk apkm apks aab xapk dex ipa crx xpi wasm swf
    php php3 php4 php5 php6 php7 php8 phps phtml pht phar asp aspx ashx asmx asax cshtml jsp jspx jspf cgi fcgi shtml htaccess
    py pyc pyo pyw pyz rb pl pm lua tcl awk
  `),
);

/** Content types of programs. */
const TYPES = new Set([
  'application/x-msdownload',
  'application/x-elf',
  'application/x-mach-binary',
  'application/java-vm',
  'application/java-archive',
  'application/vnd.android.package-archive',
  'application/wasm',
  'application/x-shockwave-flash',
  'application/x-ms-shortcut',
  'application/x-ft-apple.alias',
  'application/x-ms-regedit',
  'application/x-google-chrome-extension',
  'application/x-xpinstall',
  'application/x-deb',
  'application/x-rpm',
  'application/x-apple-diskimage',
  'application/vnd.ms-htmlhelp',
]);

/** Beginnings of scripts. */
const SCRIPT = /^\s*(?:#!\s*\/|<\?php\b|<\?=|<%@|@echo\s|<job\b)/i;

export interface CheckedFile {
  extension: string;
  detectedType: string | undefined;
  /** The beginning of the text, if it is one. */
  text: string | undefined;
}

export const isProgram = ({ extension, detectedType, text }: CheckedFile): boolean =>
  EXTENSIONS.has(extension) || TYPES.has(detectedType ?? '') || (text !== undefined && SCRIPT.test(text));
