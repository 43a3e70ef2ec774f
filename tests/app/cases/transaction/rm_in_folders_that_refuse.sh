# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2086,SC2154
# Where a user may not remove a file, --rm does not rename it either.
[ "$(id -u)" -eq 0 ] || skip "only root can become nobody"
need setpriv
tdz=$(realpath "$(command -v tdz)")
as_nobody() { setpriv --reuid 65534 --regid 65534 --clear-groups -- "$tdz" "$@"; }
as_nobody --version >/dev/null 2>&1 || skip "nobody may not run this tdz"
chmod 777 . ..
mkdir sticky closed
numbers 1000 | tee sticky/data >closed/data
chown 65534 closed/data
chmod 1777 sticky
chmod 555 closed
for folder in sticky closed; do
  code=0
  as_nobody -f --rm $folder/data -o out 2>said || code=$?
  echo "[$code] $(cat said)"
  rm said
done
only closed closed/data out sticky sticky/data
same sticky/data closed/data
#> [3] tdz: sticky/data: removing sticky/data: Operation not permitted
#> [3] tdz: closed/data: removing closed/data: Permission denied
# In a sticky folder everybody may remove his own files.
chown 65534 sticky/data
as_nobody --rm sticky/data
only closed closed/data out sticky sticky/data.tdz
