#!/bin/sh
# jump.sh CLIENT: shows that client the next agent that needs a person. It shows an error in one line.
plugin=$(CDPATH='' cd -P -- "${0%/*}" && pwd -P) || exit 1
. "$plugin/server.sh"
if said=$("$plugin/../../bin/devflow" attach --next --client "$1" 2>&1 >/dev/null); then exit 0; fi
if [ -n "$said" ]; then say "$said" "$1"; fi
exit 0
