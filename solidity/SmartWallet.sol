// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// A wallet that is a contract: its owner signs, and the wallet says whether the signature is its own (EIP-1271).
contract SmartWallet {
    bytes4 private constant ACCEPTED = 0x1626ba7e;
    bytes4 private constant REFUSED = 0xffffffff;

    address public immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    /// `signature` is `abi.encode(uint256 ownerIndex, bytes ecdsa)`, the envelope of common smart wallets: longer than
    /// the 65 bytes of a plain key, as it is for most of them. The one owner has index 0.
    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        if (signature.length < 192) return REFUSED;
        (uint256 ownerIndex, bytes memory ecdsa) = abi.decode(signature, (uint256, bytes));
        if (ownerIndex != 0 || ecdsa.length != 65) return REFUSED;
        bytes32 r;
        bytes32 s;
        uint8 v;
        assembly ("memory-safe") {
            r := mload(add(ecdsa, 32))
            s := mload(add(ecdsa, 64))
            v := byte(0, mload(add(ecdsa, 96)))
        }
        address signer = ecrecover(digest, v, r, s);
        return signer != address(0) && signer == owner ? ACCEPTED : REFUSED;
    }
}

/// Makes wallets at addresses known beforehand, so that money can wait where no code stands yet (ERC-6492).
contract SmartWalletFactory {
    function create(address owner, bytes32 salt) external returns (address wallet) {
        wallet = addressOf(owner, salt);
        if (wallet.code.length == 0) new SmartWallet{salt: salt}(owner);
    }

    function addressOf(address owner, bytes32 salt) public view returns (address) {
        bytes32 creation = keccak256(abi.encodePacked(type(SmartWallet).creationCode, abi.encode(owner)));
        return address(uint160(uint256(keccak256(abi.encodePacked(hex"ff", address(this), salt, creation)))));
    }
}
